import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the Chromium of all browser tests is controlled. */
    chromium: string;
  }
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Where a Chromium is: what CHROMIUM names, or the first on the PATH. */
async function findChromium(): Promise<string | undefined> {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name);
      if (
        await access(path).then(
          () => true,
          () => false,
        )
      )
        return path;
    }
  }
  return undefined;
}

/** Starts one Chromium without a window for all browser tests; says what to do where there is none. Gives what ends it. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const executablePath = await findChromium();
  if (executablePath === undefined) {
    throw new Error(
      'No Chromium on the PATH. Install one (Debian: apt-get install chromium), or name it in CHROMIUM.',
    );
  }
  // Containers run as root and have little shared memory.
  const server = await chromium.launchServer({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  provide('chromium', server.wsEndpoint());
  return () => server.close();
}

/** The Chromium of all browser tests; closing it closes the pages that were opened here. */
export function openChromium(): Promise<Browser> {
  return chromium.connect(inject('chromium'));
}
