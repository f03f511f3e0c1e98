/** Secrets that the server made for itself. */
export interface SecretsTable {
  name: string;
  value: string;
}
