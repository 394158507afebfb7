import assert from "node:assert/strict";
import { askInChild, sixAndWrongHost } from "./child";
import { ask, faultOf, methods } from "./exchanges";
import { loopbackCertificate } from "./testing/loopbackCertificate";
import { inWorld } from "./world";

const tls = loopbackCertificate;
const trusted = loopbackCertificate.cert;
const wrongHost = { failure: "no trusted TLS connection could be made (ERR_TLS_CERT_ALTNAME_INVALID)" };

describe("transport: https", () => {
  for (const method of methods) {
    it(
      `refuses a certificate that isn't trusted, and sends no ${method}`,
      inWorld({ tls }, async ({ emulator }) => {
        const { fault, attempts } = await faultOf(ask(emulator, { method }));
        assert.deepEqual([fault.failure, fault.mayHaveBeenCarriedOut, attempts], ["tls", false, 1]);
        assert.match(
          fault.message,
          /^no trusted TLS connection could be made \((DEPTH_ZERO_)?SELF_SIGNED_CERT\w*\)$/,
        );
        assert.equal(emulator.requests.length, 0);
      }),
    );

    it(
      `is not spoken with a service of http, and ${method} not sent again`,
      inWorld({}, async ({ emulator }) => {
        const url = emulator.baseUrl.replace("http:", "https:");
        const { fault, attempts } = await faultOf(ask(emulator, { method, url }));
        assert.deepEqual([fault.failure, attempts], ["tls", 1]);
        assert.equal(emulator.requests.length, 0);
      }),
    );
  }

  it(
    "trusts what NODE_EXTRA_CA_CERTS holds, for its own host, with connections kept",
    inWorld({ tls }, async ({ emulator }) => {
      assert.deepEqual(await askInChild(emulator, sixAndWrongHost(emulator), { trusted }), [
        ...new Array<object>(6).fill({ status: 200 }),
        wrongHost,
      ]);
      assert.equal(emulator.requests.length, 6);
      assert.equal(new Set(emulator.requests.map(({ connection }) => connection)).size, 2);
      for (const { authorised, headers } of emulator.requests)
        assert(authorised && headers["content-length"]);
    }),
  ).timeout("60s");
});
