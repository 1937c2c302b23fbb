/** Requests of whole runs, in round figures, for help and pages. Tests compare them with the requests that the reference service gets. */
export const usualRequests = {
  /** To a conforming service, and with its OpenAPI document. */
  quick: { plain: 300, withSpec: 410 },
  standard: { plain: 2_900, withSpec: 3_000 },
  deep: { plain: 47_000, withSpec: 47_000 },
  /** To a conforming service that refuses what it may refuse, or with its document. */
  most: { quick: 500, standard: 3_400 },
} as const;

/** A figure as pages and help write it. */
export function inWords(requests: number): string {
  return requests.toLocaleString('en');
}
