/** Returns `seq` of the last message that is completely visible in a chatroom, if any. */
export function findReadSeq(room: HTMLElement | null): number | undefined {
  const rows = [...(room?.querySelectorAll<HTMLElement>('[data-seq]') ?? [])];
  const bottom = rows[0]?.closest('section')?.getBoundingClientRect().bottom ?? 0;
  const seqs = rows
    .filter((row) => row.getBoundingClientRect().bottom <= bottom)
    .map((row) => Number(row.dataset['seq']));
  return seqs.length === 0 ? undefined : Math.max(...seqs);
}
