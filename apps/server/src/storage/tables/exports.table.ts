import type { ExportFailure, ExportStatus } from '@parley/contract';

/** An archive with the data of a user. Its file is in the media store. */
export interface ExportsTable {
  id: string;
  user_id: string;
  /** The only chatroom that it contains; null for everything. */
  chatroom_id: string | null;
  /** Language of the pages. */
  language: string;
  /** IANA name of the time zone of the times on the pages. */
  time_zone: string;
  status: ExportStatus;
  /** Null unless it has failed. */
  failure: ExportFailure | null;
  /** How often making it was begun. */
  attempts: number;
  /** How many of the messages were read. */
  done: number;
  total: number;
  /** Name of the file, from the beginning of an attempt; null before. */
  file: string | null;
  /** In bytes; null until it is ready. */
  size: number | null;
  created_at: number;
  /** When it became ready or failed; null before. */
  finished_at: number | null;
}
