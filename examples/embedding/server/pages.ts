export function loginPage(alert = ""): string {
  return page(
    "Log in",
    `<form method="post" action="/login">
      <p role="alert">${escaped(alert)}</p>
      <label>Name <input name="name" autocomplete="username" required></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
      <button>Log in</button>
    </form>`,
  );
}

/** Has one token: that of the tenant. */
export function dashboardPage(tenant: string, userGroupToken: string): string {
  return page(
    `Dashboards of ${tenant}`,
    `<form method="post" action="/logout"><button>Log out</button></form>
    <div id="dashboard">Loading…</div>
    <script type="application/json" id="embedding">${json({ userGroupToken })}</script>
    <script src="/snippet.js"></script>`,
  );
}

export function noDashboardPage(tenant: string): string {
  return page(`No dashboards of ${tenant} yet`, "<p>Come back after the next deployment.</p>");
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${escaped(title)}</title></head>
  <body>
    <h1>${escaped(title)}</h1>
    ${body}
  </body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** JSON in which no tag can end the script element around it. */
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
