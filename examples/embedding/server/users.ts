import { compare, hash } from "bcryptjs";

export interface User {
  readonly name: string;
  readonly tenant: string;
}

export interface Users {
  authenticate(name: string, password: string): Promise<User | undefined>;
}

/** REPLACE THIS WITH YOUR OWN USERS. These are two users of two tenants, with one password. */
export async function demoUsers(demoPassword: string): Promise<Users> {
  const stored = await hash(demoPassword, 10);
  const users = [
    { name: "ada", tenant: "acme" },
    { name: "grace", tenant: "globex" },
  ];
  return {
    async authenticate(name, password) {
      // A password is compared for an unknown name too. Otherwise the time would show which names exist.
      const isRight = await compare(password, stored);
      return isRight ? users.find((user) => user.name === name) : undefined;
    },
  };
}
