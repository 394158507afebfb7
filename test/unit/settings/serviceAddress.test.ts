import assert from "node:assert/strict";
import { normalizedAddress, serviceAddress } from "../../../provider/src/settings/serviceAddress";

describe("the address of a service", () => {
  const valid: [address: string, normalized: string][] = [
    ["https://groups.example", "https://groups.example"],
    ["https://Groups.EXAMPLE:443//", "https://groups.example"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["http://LOCALHOST:80/", "http://localhost"],
    ["http://[::1]:8080", "http://[::1]:8080"],
  ];
  for (const [address, normalized] of valid)
    it(`${address} is ${normalized}`, () => {
      assert.equal(serviceAddress.parse(address), normalized);
      assert.equal(serviceAddress.parse(normalized), normalized);
    });

  const space = "must contain no white space (look for a line break)";
  const absolute = "must be an absolute URL";
  const scheme = "must start with https:// (http:// only on a loopback host)";
  const credentials = "must contain no user name and no password";
  const query = "must have no query and no fragment";
  const invalid: [address: string, issue: string][] = [
    [" https://groups.example", space],
    ["https://groups.example\n.evil.example", space],
    ["groups.example", absolute],
    ["http://groups.example", scheme],
    ["http://localhost.groups.example", scheme],
    ["https://user:s3cret@groups.example", credentials],
    ["https://groups.example?key=s3cret", query],
    ["https://groups.example/v1#s3cret", query],
  ];
  for (const [address, issue] of invalid)
    it(`can't be ${JSON.stringify(address)}`, () => {
      assert.equal(serviceAddress.safeParse(address).error?.issues[0]?.message, issue);
    });

  it("of a state compares by its text if it is unusual", () => {
    assert.equal(normalizedAddress("https://GROUPS.example/"), "https://groups.example");
    assert.equal(normalizedAddress("http://groups.example/"), "http://groups.example/");
  });
});
