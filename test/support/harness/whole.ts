/** `RELIABILITY=whole`: all cases, as before a release, instead of those of every change. */
export const isWhole = process.env["RELIABILITY"] === "whole";
