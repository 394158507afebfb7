/**
 * The body of a response as text. The package asks for no content-encoding, but some gateways compress all the same. The size is limited
 * before and after decoding, so that a decompression bomb ends early.
 */
import { isUtf8 } from "node:buffer";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { ownValue } from "../../values";
import { codeOf, cutOff, failed } from "./transportError";

/** A body that can't be read has an empty text, and the reason. */
export interface BodyText {
  readonly text: string;
  /** The content-encoding from which it couldn't be decoded. */
  readonly undecoded?: string;
  /** It isn't in UTF-8, as JSON must be (RFC 8259, section 8.1). Decoded with losses, a token would be another one. */
  readonly isNotUtf8?: boolean;
}

/** A group's response has a few hundred bytes. */
const maxBytes = 1024 * 1024;

export async function readBody(
  body: NodeJS.ReadableStream | null,
  contentEncoding: string | null | undefined,
): Promise<BodyText> {
  const bytes = await bytesOf(body);
  const encoding = (contentEncoding ?? "").trim().toLowerCase();
  if (bytes.length === 0 || encoding === "" || encoding === "identity") return decodedText(bytes);
  const decode = ownValue(decoders, encoding);
  if (!decode) return { text: "", undecoded: encoding };
  try {
    return decodedText(await decode(bytes));
  } catch (error) {
    const code = codeOf(error);
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    if (code === "Z_BUF_ERROR") throw cutOff();
    return { text: "", undecoded: encoding };
  }
}

type Decoder = (bytes: Buffer) => Promise<Buffer>;

const limit = { maxOutputLength: maxBytes };
const gunzip: Decoder = (bytes) => promisify(zlib.gunzip)(bytes, limit);

/** RFC 9110, section 8.4.1. Some servers send `deflate` without the zlib header. */
const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  "x-gzip": gunzip,
  deflate: (bytes) => promisify(hasZlibHeader(bytes) ? zlib.inflate : zlib.inflateRaw)(bytes, limit),
  br: (bytes) => promisify(zlib.brotliDecompress)(bytes, limit),
};

function hasZlibHeader(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 0x0f) === 8;
}

/** Events need less processor time than an iteration. */
function bytesOf(body: NodeJS.ReadableStream | null): Promise<Buffer> {
  if (!body) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    let hasEnded = false;
    body.on("data", (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length <= maxBytes) return;
      reject(tooLarge());
      if (body instanceof Readable) body.destroy();
    });
    body.on("end", () => {
      hasEnded = true;
      resolve(Buffer.concat(parts));
    });
    body.on("error", reject);
    body.on("close", () => {
      if (!hasEnded) reject(cutOff());
    });
  });
}

function decodedText(bytes: Buffer): BodyText {
  return isUtf8(bytes)
    ? { text: bytes.toString("utf8").replace(/^\uFEFF/, "") }
    : { text: "", isNotUtf8: true };
}

function tooLarge() {
  return failed("too-large", "", { isPossiblyApplied: true });
}
