// Only this module determines which engine a data folder uses.
export {
  databaseFile,
  engineVersion,
  openCopy,
  openServerStorage,
  openStorage,
} from './sqlite/open-sqlite.ts';
export { lockDataFolder } from './sqlite/server-lock.ts';
export { inspectDatabase } from './sqlite/inspection.ts';
