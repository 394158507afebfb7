export interface Page {
  readonly title: string;
  readonly body: string;
  /** Runs in the page. */
  readonly script?: string;
}

export function loginPage(complaint = ""): Page {
  return {
    title: "Log in",
    body: `<form method="post" action="/login">
      <p role="alert">${escaped(complaint)}</p>
      <label>Name <input name="name" autocomplete="username" required></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
      <button>Log in</button>
    </form>`,
  };
}

/** The page that embeds the dashboards of one tenant, with that tenant's user group token. */
export function dashboardPage(tenant: string, userGroupToken: string): Page {
  return {
    title: `Dashboards of ${tenant}`,
    body: `<form method="post" action="/logout"><button>Log out</button></form>
    <div id="dashboard">Loading…</div>
    <script type="application/json" id="embedding">${json({ userGroupToken })}</script>`,
    script: renderDashboard,
  };
}

export function noDashboardPage(tenant: string): Page {
  return { title: `No dashboards of ${tenant} yet`, body: "<p>Come back after the next deployment.</p>" };
}

export function html({ title, body, script }: Page, nonce: string): string {
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${escaped(title)}</title></head>
  <body>
    <h1>${escaped(title)}</h1>
    ${body}
    ${script === undefined ? "" : `<script nonce="${nonce}">${script}</script>`}
  </body>
</html>
`;
}

/** Your service's own snippet goes here. What it needs of you is the token. */
const renderDashboard = `
  const { userGroupToken } = JSON.parse(document.getElementById("embedding").textContent);
  const dashboard = document.getElementById("dashboard");
  dashboard.dataset.userGroupToken = userGroupToken;
  dashboard.textContent = "Here the dashboards appear.";
`;

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** JSON in which no tag can end the script element around it. */
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
