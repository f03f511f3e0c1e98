import { longAac, longMp4, longWebm } from '@parley/testing';
import { defineAttack } from './attack.ts';

/** Maximum number of simultaneous uploads of an account. */
const CONCURRENCY = 4;
const HOURS = 12;

/** Uploads small files that would take gigabytes of memory if the server decoded them. */
export const longRecordings = defineAttack<{ cookie: string }>({
  summary: 'one account uploads recordings of 3 to 5 MB that last 12 hours, 4 at a time',
  env: { PARLEY_RATE_LIMITS: 'false' },
  prepare: async (server) => ({ cookie: (await server.signIn('Recorder')).cookie }),
  run: async ({ url, prepared, signal }) => {
    const counts = { accepted: 0, tooLong: 0, otherErrors: 0, bytesSent: 0 };
    const files = [
      longWebm(HOURS),
      longWebm(HOURS, { hasTimestamps: false }),
      longMp4(HOURS),
      longAac(HOURS),
    ];
    const upload = async (file: Buffer): Promise<void> => {
      const form = new FormData();
      form.append('audio', new Blob([new Uint8Array(file)]), 'recording.webm');
      const response = await fetch(`${url}/api/upload/audio`, {
        method: 'POST',
        headers: { cookie: prepared.cookie },
        body: form,
      });
      const body = (await response.json()) as { code?: string };
      counts.bytesSent += file.length;
      if (response.ok) counts.accepted += 1;
      else if (body.code === 'recording_too_long') counts.tooLong += 1;
      else counts.otherErrors += 1;
    };
    const uploadRepeatedly = async (_: unknown, index: number): Promise<void> => {
      let next = index;
      do {
        const file = files[next % files.length];
        next += 1;
        if (file) await upload(file);
      } while (!signal.aborted);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, uploadRepeatedly));
    return counts;
  },
});
