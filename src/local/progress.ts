/** How far a download is; `total` is 0 when nobody said how long it is. */
export interface Downloaded {
  readonly bytes: number;
  readonly total: number;
}

export type Progress = (downloaded: Downloaded) => void;

const MB = 1_000_000;
const BAR_WIDTH = 24;

/** `12.3 of 44.5 MB (27 %)`, or only the megabytes when the whole is not known. */
export function progressText({ bytes, total }: Downloaded): string {
  const got = (bytes / MB).toFixed(1);
  if (total === 0) return `${got} MB`;
  const percent = Math.min(100, Math.floor((100 * bytes) / total));
  return `${got} of ${(total / MB).toFixed(1)} MB (${percent} %)`;
}

/** A bar for a terminal, as wide as 24 characters. */
export function progressBar({ bytes, total }: Downloaded): string {
  const share = total === 0 ? 0 : Math.min(1, bytes / total);
  const full = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}]`;
}
