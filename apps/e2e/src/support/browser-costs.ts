/** What takes most of the time of browser tests, as counts. */
export interface BrowserCosts {
  servers: number;
  contexts: number;
  /** Documents that were loaded. */
  documents: number;
}

/** The type of the annotation of a test that contains its costs as JSON. */
export const COSTS_ANNOTATION = 'costs';
