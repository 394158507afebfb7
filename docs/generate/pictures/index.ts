/** The pictures of the pages, drawn from facts. */
import { choice, dataFlow, pipeline } from "./concepts";
import { plots } from "./plots";
import { rename } from "./sequences";
import { svg, type Picture } from "./svg";

const pictures: readonly [name: string, picture: Picture][] = [
  ["data-flow", dataFlow],
  ["choice", choice],
  ["pipeline", pipeline],
  ["rename", rename],
  ...plots(),
];

/** File name → text. */
export function pictureFiles(): [file: string, text: string][] {
  return pictures.map(([name, picture]) => [`${name}.svg`, svg(picture)]);
}
