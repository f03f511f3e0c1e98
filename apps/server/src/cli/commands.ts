import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { doctor } from './doctor.ts';
import { help } from './help.ts';
import { invite } from './invite.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import { user } from './user.ts';
import { version } from './version.ts';

/** Every command, in the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [serve, backup, restore, doctor, user, invite, version];

/** The commands and the help about them. */
export function findCommand(name: string): Command | undefined {
  return name === 'help' ? help(COMMANDS) : COMMANDS.find((command) => command.name === name);
}
