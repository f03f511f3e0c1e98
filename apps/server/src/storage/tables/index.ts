import type { ChatroomMembersTable, ChatroomsTable } from './chatrooms.table.ts';
import type { EmailChangesTable, FormerEmailsTable } from './email-changes.table.ts';
import type { EmailClashesTable } from './email-clashes.table.ts';
import type { ErasuresTable } from './erasures.table.ts';
import type { ExportsTable } from './exports.table.ts';
import type { HeartbeatTable } from './heartbeat.table.ts';
import type { InvitationsTable } from './invitations.table.ts';
import type { MediaTable } from './media.table.ts';
import type { MessagesTable } from './messages.table.ts';
import type {
  NotificationSettingsTable,
  PushQueueTable,
  PushShownTable,
  PushSubscriptionsTable,
} from './notifications.table.ts';
import type { OutgoingMailsTable } from './outgoing-mails.table.ts';
import type { MediaUsageTable, MessageCountsTable } from './quotas.table.ts';
import type { ReactionsTable } from './reactions.table.ts';
import type { RegistrationsTable } from './registrations.table.ts';
import type { ReportFilePartsTable, ReportMessagesTable, ReportsTable } from './reports.table.ts';
import type { RequestCountsTable } from './request-counts.table.ts';
import type {
  SearchBlocksTable,
  SearchChatroomsTable,
  SearchTrigramsTable,
} from './search.table.ts';
import type { SecretsTable } from './secrets.table.ts';
import type { EndedSessionsTable, SessionsTable } from './sessions.table.ts';
import type { UsernameSkeletonsTable } from './username-skeletons.table.ts';
import type { AccountKeysTable, UsersTable } from './users.table.ts';

/** All tables. */
export interface Tables {
  users: UsersTable;
  account_keys: AccountKeysTable;
  email_clashes: EmailClashesTable;
  email_changes: EmailChangesTable;
  former_emails: FormerEmailsTable;
  username_skeletons: UsernameSkeletonsTable;
  sessions: SessionsTable;
  ended_sessions: EndedSessionsTable;
  chatrooms: ChatroomsTable;
  chatroom_members: ChatroomMembersTable;
  messages: MessagesTable;
  reactions: ReactionsTable;
  search_rooms: SearchChatroomsTable;
  search_blocks: SearchBlocksTable;
  search_trigrams: SearchTrigramsTable;
  media: MediaTable;
  registrations: RegistrationsTable;
  outgoing_mails: OutgoingMailsTable;
  secrets: SecretsTable;
  invitations: InvitationsTable;
  message_counts: MessageCountsTable;
  request_counts: RequestCountsTable;
  reports: ReportsTable;
  report_messages: ReportMessagesTable;
  report_file_parts: ReportFilePartsTable;
  media_usage: MediaUsageTable;
  heartbeat: HeartbeatTable;
  erasures: ErasuresTable;
  exports: ExportsTable;
  notification_settings: NotificationSettingsTable;
  push_subscriptions: PushSubscriptionsTable;
  push_queue: PushQueueTable;
  push_shown: PushShownTable;
}
