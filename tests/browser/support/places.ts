import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The program under test. */
export const program = `${root}build/bin/beckon`;
