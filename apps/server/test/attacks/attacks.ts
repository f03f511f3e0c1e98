import type { Attack } from './attack.ts';
import { foreignAddress } from './foreign-address.ts';
import { resyncFlood, forwardedAddresses, lockout, nameLookups } from './guessing.ts';
import { parallelLogins } from './logins.ts';
import { abortedUploads } from './aborted-uploads.ts';
import { bursts } from './bursts.ts';
import { costlyBodies } from './costly-bodies.ts';
import { deviceCookies, formerPassword, resetMails } from './device-cookies.ts';
import { frameFlood } from './frame-flood.ts';
import { hostileImages } from './hostile-images.ts';
import { slotsOfManyNetworks, slotsOfOneNetwork } from './upload-slots.ts';
import { longRecordings } from './long-recordings.ts';
import { largeAccount } from './large-account.ts';
import { onlinePartners } from './online-partners.ts';
import { longSearches } from './long-searches.ts';
import { pipelining, unreadResponses } from './pipelining.ts';
import { returningUsers } from './returning-users.ts';
import { tinyChunks } from './tiny-chunks.ts';
import { unreadPages } from './unread-pages.ts';

/** All attacks by their names on the command line. */
export const ATTACKS = {
  'aborted-uploads': abortedUploads,
  bursts,
  'costly-bodies': costlyBodies,
  'device-cookies': deviceCookies,
  'former-password': formerPassword,
  'reset-mails': resetMails,
  'resync-flood': resyncFlood,
  'foreign-address': foreignAddress,
  'forwarded-addresses': forwardedAddresses,
  'frame-flood': frameFlood,
  'hostile-images': hostileImages,
  lockout,
  'long-recordings': longRecordings,
  'large-account': largeAccount,
  'name-lookups': nameLookups,
  'online-partners': onlinePartners,
  'parallel-logins': parallelLogins,
  pipelining,
  'long-searches': longSearches,
  'returning-users': returningUsers,
  'tiny-chunks': tinyChunks,
  'unread-responses': unreadResponses,
  'unread-pages': unreadPages,
  'upload-slots-one-network': slotsOfOneNetwork,
  'upload-slots-many-networks': slotsOfManyNetworks,
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof ATTACKS;
