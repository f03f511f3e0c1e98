import type { Invitation } from '@parley/contract';
import { Check, Copy, Share2 } from 'lucide-react';
import { useMemo, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { copyField } from '../../browser/copy-field.ts';
import { useHost } from '../../host/host-context.ts';
import { useDateFormat } from '../../format/use-date-format.ts';
import { PATHS } from '../../navigation/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import css from './InvitationLink.module.css';
import { createQrPath } from './qr-path.ts';

interface InvitationLinkProps {
  invitation: Invitation;
  copyButton: RefObject<HTMLButtonElement | null>;
}

/** The QR code and the link of an invitation, to copy and to share. */
export function InvitationLink({ invitation, copyButton }: InvitationLinkProps) {
  const { t } = useTranslation();
  const format = useDateFormat();
  const { serverOrigin } = useHost();
  const { isSingleUse, code, expiresAt } = invitation;
  const link = `${serverOrigin}${PATHS.invite}#${code}`;
  const date = format.date(expiresAt);
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState<boolean>();
  const canShare = 'share' in navigator && navigator.canShare({ url: link });

  async function copyLink(): Promise<void> {
    if (!field.current) return;
    const isDone = await copyField(field.current);
    setIsCopied(isDone);
    if (isDone) copyButton.current?.focus();
  }

  function share(): void {
    // Rejects if the user closes the system's dialog.
    navigator.share({ text: t('invitation.shareText'), url: link }).catch(() => undefined);
  }

  return (
    <div className={css.link}>
      <p className={css.text}>
        {isSingleUse ? t('invite.once') : t('invite.untilDate', { date })}
        {isSingleUse && <> · {t('invitation.until', { date })}</>}
      </p>
      <QrCode text={link} label={t('invite.qr')} />
      <TextField
        ref={field}
        label={t('invitation.link')}
        name="link"
        value={link}
        onValueChange={() => undefined}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className={css.actions}>
        <Button ref={copyButton} icon={<Copy />} onClick={() => void copyLink()}>
          {t('invite.copy')}
        </Button>
        {canShare && (
          <Button variant="secondary" icon={<Share2 />} onClick={share}>
            {t('invite.share')}
          </Button>
        )}
        {/* Toasts are outside the dialog and therefore not announced. */}
        <output className={css.copied}>
          {isCopied === true && (
            <>
              <Check />
              {t('invite.copied')}
            </>
          )}
          {isCopied === false && t('invitation.notCopied')}
        </output>
      </div>
    </div>
  );
}

/** A QR code, dark on white in every theme, as not all scanners read inverted ones. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => createQrPath(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={css.code}
    >
      <path d={path} />
    </svg>
  );
}
