/** `npm start`: needs TOKENS_FILE. PORT may be set. */
import { randomUUID } from "node:crypto";
import { newApplication } from "./application";
import { tokensIn } from "./tokens";
import { demoUsers } from "./users";

void main();

async function main(): Promise<void> {
  const { TOKENS_FILE: file, PORT: port = "3000" } = process.env;
  if (file === undefined) throw new Error("Set TOKENS_FILE to the file that has the tenants' tokens.");
  const password = randomUUID();
  const application = newApplication(tokensIn(file), await demoUsers(password));
  const server = application.listen(Number(port), "127.0.0.1", (error) => {
    if (error) throw error;
    const address = server.address();
    const listening = typeof address === "object" && address !== null ? address.port : port;
    console.log(`http://localhost:${listening} (users: ada of acme, and grace of globex)`);
    console.log(`Their password for this run is ${password}`);
  });
}
