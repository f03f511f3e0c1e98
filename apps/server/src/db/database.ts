import type { AccountKeysTable, UsersTable } from '../accounts/account.table.ts';
import type { UsernameSkeletonsTable } from '../accounts/look-alike.table.ts';
import type { ChatroomMembersTable, ChatroomsTable } from '../chatrooms/chatroom.table.ts';
import type { ErasuresTable } from '../erasure/erasure.table.ts';
import type { HeartbeatTable } from '../health/heartbeat.table.ts';
import type { InvitationsTable } from '../invitations/invitation.table.ts';
import type { OutgoingMailsTable } from '../mail/mail.table.ts';
import type { MediaTable } from '../media/media.table.ts';
import type { MessagesTable } from '../messages/message.table.ts';
import type { OutsideEventsTable } from '../operator/outside-event.table.ts';
import type { MediaUsageTable, MessageCountsTable } from '../quotas/quota.table.ts';
import type { SessionsTable } from '../sessions/session.table.ts';
import type { SecretsTable } from './secret.ts';

/** All tables, from the features that own them. */
export interface Database {
  users: UsersTable;
  account_keys: AccountKeysTable;
  username_skeletons: UsernameSkeletonsTable;
  sessions: SessionsTable;
  chatrooms: ChatroomsTable;
  chatroom_members: ChatroomMembersTable;
  messages: MessagesTable;
  media: MediaTable;
  outgoing_mails: OutgoingMailsTable;
  secrets: SecretsTable;
  invitations: InvitationsTable;
  outside_events: OutsideEventsTable;
  message_counts: MessageCountsTable;
  media_usage: MediaUsageTable;
  heartbeat: HeartbeatTable;
  erasures: ErasuresTable;
}
