import type { Generated } from 'kysely';

/** An upload. Its file is `<data>/media/<file>`. */
export interface MediaTable {
  id: string;
  owner_id: string;
  kind: 'image' | 'audio';
  /** IANA media type as detected from the bytes. */
  mime: string;
  /** In bytes. */
  size: number;
  /** `<id>.<extension>`, also the last part of its URL. */
  file: string;
  /** In pixels, with the orientation applied; null if unknown or not an image. */
  width: number | null;
  height: number | null;
  /** Version of the rules an image was last inspected with; 0 for recordings. */
  inspected_rules: Generated<number>;
  /** 1 for an image that older rules accepted and that is no longer shown. */
  is_blocked: Generated<number>;
  /**
   * Duration of a recording in milliseconds; 0 if it could not be determined, null if not measured yet.
   */
  duration_ms: number | null;
  /** Waveform of a recording, one byte per bar, 0 to 100; null if the upload had none. */
  peaks: Buffer | null;
  created_at: number;
}
