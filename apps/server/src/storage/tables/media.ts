import type { Generated } from 'kysely';

/** An upload. Its file lies at `<data>/media/<file>`. */
export interface MediaTable {
  id: string;
  owner_id: string;
  kind: 'image' | 'audio';
  /** IANA media type, told from the bytes. */
  mime: string;
  /** In bytes. */
  size: number;
  /** `<id>.<ending>`, also the last part of its URL. */
  file: string;
  /** Pixels, orientation applied; null if unknown or not a picture. */
  width: number | null;
  height: number | null;
  /** Version of the rules by which a picture was last inspected; 0 for recordings. */
  inspected_rules: Generated<number>;
  /** 1 for a picture that older rules accepted and that is not shown any more. */
  is_blocked: Generated<number>;
  /** Of a recording, in milliseconds; 0 if it could not be told, null if it has not been looked for. */
  duration_ms: number | null;
  /** Waveform of a recording, one byte a bar, 0 to 100; null if the upload had none. */
  peaks: Buffer | null;
  created_at: number;
}
