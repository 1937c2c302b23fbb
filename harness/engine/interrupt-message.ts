/** What the main thread sends to the suites to interrupt the run. */
export const interruptMessage = 'interrupt';
