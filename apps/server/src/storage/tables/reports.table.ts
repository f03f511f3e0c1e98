import type { MessageKind, ReportReason } from '@parley/contract';

/** A user's report to the operator about another user. */
export interface ReportsTable {
  id: string;
  created_at: number;
  /** Null while the report is open. */
  closed_at: number | null;
  /** Null once the reporter's account is erased. */
  reporter_id: string | null;
  reported_id: string;
  reason: ReportReason;
  /** May be empty. */
  comment: string;
  /** 1 once all messages and files are copied. Operators do not see it before. */
  is_complete: number;
}

/** A copy of a reported message. It does not reference the message, which may be deleted later. */
export interface ReportMessagesTable {
  id: string;
  report_id: string;
  /** Consecutive in the report. */
  position: number;
  sent_at: number;
  updated_at: number;
  kind: MessageKind;
  /** Text; empty for media. */
  content: string;
  /** IANA media type of the file; null for text. */
  mime: string | null;
}

/** A part of the copy of a reported message's file. */
export interface ReportFilePartsTable {
  report_message_id: string;
  /** Consecutive in the file. */
  part: number;
  /** At most 64 KiB. */
  data: Buffer;
}
