import { handOver } from "./handOver";

export const tokensFile = handOver({ acme: "Acme Corporation", globex: "Globex" }).metadata.name;
