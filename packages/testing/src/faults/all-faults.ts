import { CLIENT_FAULTS } from './client-faults.ts';
import type { Fault } from './fault.ts';
import { SCREEN_FAULTS } from './screen-faults.ts';
import { SERVER_FAULTS } from './server-faults.ts';

/** All faults that `npm run test:faults` tries. */
export const ALL_FAULTS: readonly Fault[] = [...SERVER_FAULTS, ...CLIENT_FAULTS, ...SCREEN_FAULTS];
