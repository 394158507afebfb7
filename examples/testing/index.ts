import * as pulumi from "@pulumi/pulumi";
import { declareTenants } from "./tenants";

export const tokens = pulumi.secret(
  declareTenants([
    { id: "acme", name: "Acme Corporation", plan: "premium" },
    { id: "globex", name: "Globex", plan: "basic" },
  ]),
);
