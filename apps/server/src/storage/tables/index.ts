import type { ChatroomMembersTable, ChatroomsTable } from './chatrooms.ts';
import type { ErasuresTable } from './erasures.ts';
import type { HeartbeatTable } from './heartbeat.ts';
import type { InvitationsTable } from './invitations.ts';
import type { MediaTable } from './media.ts';
import type { MessagesTable } from './messages.ts';
import type { OutgoingMailsTable } from './outgoing-mails.ts';
import type { MediaUsageTable, MessageCountsTable } from './quotas.ts';
import type { SecretsTable } from './secrets.ts';
import type { EndedSessionsTable, SessionsTable } from './sessions.ts';
import type { UsernameSkeletonsTable } from './username-skeletons.ts';
import type { AccountKeysTable, UsersTable } from './users.ts';

/** All tables. */
export interface Tables {
  users: UsersTable;
  account_keys: AccountKeysTable;
  username_skeletons: UsernameSkeletonsTable;
  sessions: SessionsTable;
  ended_sessions: EndedSessionsTable;
  chatrooms: ChatroomsTable;
  chatroom_members: ChatroomMembersTable;
  messages: MessagesTable;
  media: MediaTable;
  outgoing_mails: OutgoingMailsTable;
  secrets: SecretsTable;
  invitations: InvitationsTable;
  message_counts: MessageCountsTable;
  media_usage: MediaUsageTable;
  heartbeat: HeartbeatTable;
  erasures: ErasuresTable;
}
