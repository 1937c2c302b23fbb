/** A text that is not empty. @minLength 1 */
export type Text = string;

/** How many. @minimum 0 */
export type Count = Integer;

/** Counts from 1. @minimum 1 */
export type Ordinal = Integer;

/** A whole number. @type integer */
export type Integer = number;

/** A time in milliseconds. @minimum 0 */
export type Milliseconds = number;

/** Id of a finding, equal for the same violation in another run. @pattern ^[0-9a-f]{8}$ */
export type FindingId = string;

/** SHA-256 in hexadecimal digits. @pattern ^[0-9a-f]{64}$ */
export type Sha256 = string;

/** SHA-256 with its name. @pattern ^sha256:[0-9a-f]{64}$ */
export type Digest = string;

/** A day in ISO 8601. @pattern ^\d{4}-\d{2}-\d{2}$ */
export type Day = string;

/** A time in ISO 8601 and UTC. @pattern ^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$ */
export type Instant = string;
