/**
 * REPLACE THIS WITH YOUR SERVICE'S SNIPPET.
 *
 * The script runs in the page of one tenant. The page has the token of that tenant, and an empty element for the
 * dashboard.
 */
export const snippet = `
  const { userGroupToken } = JSON.parse(document.getElementById("embedding").textContent);
  const dashboard = document.getElementById("dashboard");
  dashboard.dataset.userGroupToken = userGroupToken;
  dashboard.textContent = "Here the dashboards appear.";
`;

/** The origins from which the snippet loads, such as `https://analytics.example.com`. Browsers block all others. */
export const snippetOrigins: string[] = [];
