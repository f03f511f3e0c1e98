import type { UploadPace } from './upload-pace.ts';

/** Bounds of the uploads under way. */
export interface UploadLimits {
  readonly atOnceOfOne: number;
  readonly atOnceInAll: number;
  readonly pace: UploadPace;
}

/** What people need, with room: a phone whose network is bad still sends 20 KiB a second. */
export const UPLOAD_LIMITS: UploadLimits = {
  atOnceOfOne: 4,
  atOnceInAll: 100,
  pace: { grace: 15_000, bytesPerSecond: 8 * 1024 },
};
