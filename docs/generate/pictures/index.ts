/** The pictures of the pages, drawn from facts. */
import { choice, dataFlow, pipeline } from "./concepts";
import { plots } from "./plots";
import { terminal } from "./recording";
import { rename } from "./renames";
import { life, rotation } from "./sequences";
import { svg, type Picture } from "./svg";

const pictures: readonly [name: string, picture: Picture][] = [
  ["data-flow", dataFlow],
  ["choice", choice],
  ["pipeline", pipeline],
  ["rename", rename()],
  ["rotation", rotation],
  ["life", life],
  ...plots(),
];

/** File name → text. */
export function pictureFiles(): [file: string, text: string][] {
  const drawn = pictures.map(([name, picture]): [string, string] => [`${name}.svg`, svg(picture)]);
  return [...drawn, ["recording.svg", terminal()]];
}
