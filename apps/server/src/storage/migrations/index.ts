import type { Migrations } from '../schema.ts';
import { initial } from './001-initial.ts';
import { operation } from './002-operation.ts';
import { pictureInspection } from './003-picture-inspection.ts';
import { erasure } from './004-erasure.ts';
import { recordings } from './005-recordings.ts';
import { lookAlikes } from './006-look-alikes.ts';
import { languages } from './007-languages.ts';
import { noOutsideEvents } from './008-no-outside-events.ts';
import { endedSessions } from './009-ended-sessions.ts';
import { postgresConsent } from './010-consent-breaking.postgres.ts';
import { consent } from './010-consent-breaking.ts';
import { postgresSharing } from './011-sharing.postgres.ts';
import { sharing } from './011-sharing.ts';
import { postgresReactions } from './012-reactions.postgres.ts';
import { reactions } from './012-reactions.ts';
import { postgresForwardingAlbums } from './013-forwarding-albums.postgres.ts';
import { forwardingAlbums } from './013-forwarding-albums.ts';
import { postgresReplies } from './014-replies.postgres.ts';
import { replies } from './014-replies.ts';
import { postgresChatSettings } from './015-chat-settings.postgres.ts';
import { chatSettings } from './015-chat-settings.ts';
import { postgresMessageSearch } from './016-search.postgres.ts';
import { messageSearch } from './016-search.ts';
import { postgresPush } from './017-push.postgres.ts';
import { push } from './017-push.ts';
import { postgresFirstMessages } from './018-first-messages.postgres.ts';
import { firstMessages } from './018-first-messages.ts';
import { postgresFormerReceipts } from './019-former-receipts.postgres.ts';
import { formerReceipts } from './019-former-receipts.ts';
import { postgresRegistrations } from './020-registrations-breaking.postgres.ts';
import { registrations } from './020-registrations-breaking.ts';
import { emailForm } from './021-email-form.ts';
import { postgresDeviceEpoch } from './022-device-epoch.postgres.ts';
import { deviceEpoch } from './022-device-epoch.ts';
import { postgresReportParts } from './023-report-parts.postgres.ts';
import { reportParts } from './023-report-parts.ts';
import { visibleMessageIndexes } from './024-visible-messages.ts';
import { memberRevision } from './025-member-rev-breaking.ts';
import { postgresMessageOrder } from './026-message-order.postgres.ts';
import { messageOrder } from './026-message-order.ts';
import { postgresEmailClashes } from './027-email-clashes.postgres.ts';
import { emailClashes } from './027-email-clashes.ts';
import { postgresEmailChanges } from './028-email-changes.postgres.ts';
import { emailChanges } from './028-email-changes.ts';
import { postgresDataExports } from './029-exports.postgres.ts';
import { dataExports } from './029-exports.ts';
import { postgresAcceptedInvitations } from './030-accepted-invitations.postgres.ts';
import { acceptedInvitations } from './030-accepted-invitations.ts';
import { postgresChatListOrder } from './031-chat-list.postgres.ts';
import { chatListOrder } from './031-chat-list.ts';
import { postgresDeletedChats } from './032-deleted-chats.postgres.ts';
import { deletedChats } from './032-deleted-chats.ts';
import { postgresBaseline } from './postgres-baseline.ts';

/**
 * The migrations of SQLite in order. Listed explicitly, so that they can be bundled into one file.
 */
export const migrations: Migrations = {
  '001-initial': initial,
  '002-operation': operation,
  '003-picture-inspection': pictureInspection,
  '004-erasure': erasure,
  '005-recordings': recordings,
  '006-look-alikes': lookAlikes,
  '007-languages': languages,
  '008-no-outside-events': noOutsideEvents,
  '009-ended-sessions': endedSessions,
  '010-consent-breaking': consent,
  '011-sharing': sharing,
  '012-reactions': reactions,
  '013-forwarding-albums': forwardingAlbums,
  '014-replies': replies,
  '015-chat-settings': chatSettings,
  '016-search': messageSearch,
  '017-push': push,
  '018-first-messages': firstMessages,
  '019-former-receipts': formerReceipts,
  '020-registrations-breaking': registrations,
  '021-email-form': emailForm,
  '022-device-epoch': deviceEpoch,
  '023-report-parts': reportParts,
  '024-visible-messages': visibleMessageIndexes,
  '025-member-rev-breaking': memberRevision,
  '026-message-order': messageOrder,
  '027-email-clashes': emailClashes,
  '028-email-changes': emailChanges,
  '029-exports': dataExports,
  '030-accepted-invitations': acceptedInvitations,
  '031-chat-list': chatListOrder,
  '032-deleted-chats': deletedChats,
};

/**
 * The migrations of PostgreSQL in order. The first one creates the schema that SQLite has by then.
 */
export const postgresMigrations: Migrations = {
  '009-ended-sessions': postgresBaseline,
  '010-consent-breaking': postgresConsent,
  '011-sharing': postgresSharing,
  '012-reactions': postgresReactions,
  '013-forwarding-albums': postgresForwardingAlbums,
  '014-replies': postgresReplies,
  '015-chat-settings': postgresChatSettings,
  '016-search': postgresMessageSearch,
  '017-push': postgresPush,
  '018-first-messages': postgresFirstMessages,
  '019-former-receipts': postgresFormerReceipts,
  '020-registrations-breaking': postgresRegistrations,
  '021-email-form': emailForm,
  '022-device-epoch': postgresDeviceEpoch,
  '023-report-parts': postgresReportParts,
  '024-visible-messages': visibleMessageIndexes,
  '025-member-rev-breaking': memberRevision,
  '026-message-order': postgresMessageOrder,
  '027-email-clashes': postgresEmailClashes,
  '028-email-changes': postgresEmailChanges,
  '029-exports': postgresDataExports,
  '030-accepted-invitations': postgresAcceptedInvitations,
  '031-chat-list': postgresChatListOrder,
  '032-deleted-chats': postgresDeletedChats,
};
