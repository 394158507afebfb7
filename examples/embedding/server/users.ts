import { compare, hash } from "bcryptjs";

/** `request.user`, in the types of Express and Passport. */
declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface User {
      readonly name: string;
      readonly tenant: string;
    }
  }
}

export interface Users {
  find(name: unknown): Express.User | undefined;
  /** The user with this name and password, which may be anything that a browser sent. */
  authenticate(name: unknown, password: unknown): Promise<Express.User | undefined>;
}

/** REPLACE THIS WITH YOUR OWN USERS. These are two users of two tenants, with one password. */
export async function demoUsers(password: string): Promise<Users> {
  const stored = await hash(password, 10);
  const users = [
    { name: "ada", tenant: "acme" },
    { name: "grace", tenant: "globex" },
  ];
  const find = (name: unknown) => users.find((user) => user.name === name);
  return {
    find,
    async authenticate(name, given) {
      // A password is compared for an unknown name too. Otherwise the time would show which names exist.
      const isRight = typeof given === "string" && (await compare(given, stored));
      return isRight ? find(name) : undefined;
    },
  };
}
