/** An upload. Its file lies at `<data>/media/<file>`. */
export interface MediaTable {
  id: string;
  owner_id: string;
  kind: 'image' | 'audio';
  /** IANA media type, told from the bytes. */
  mime: string;
  /** In bytes. */
  size: number;
  /** `<id>.<ending>`, also the last part of its URL. */
  file: string;
  /** Pixels, orientation applied; null if unknown or not a picture. */
  width: number | null;
  height: number | null;
  created_at: number;
}
