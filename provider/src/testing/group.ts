/** What a caller says of a group (interface, section "Request-side fields of a user group"). */
export interface GroupValues {
  /** The caller's own ID of the group. */
  readonly userGroupId: string;
  readonly name: string;
  /** Schema ID → data source, or the ID of a data source. Default: none. */
  readonly mapping?: Readonly<Record<string, string | number>>;
  /** JSON object. Default: none. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A group as the service holds it. */
export interface StoredGroup extends GroupValues {
  /** The user group token; a group that is created again has another. */
  readonly token: string;
  /** The service's own number of the group. */
  readonly teamId: number;
}
