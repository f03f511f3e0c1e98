import { AtSign, CalendarDays, Settings, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../app/app-context.ts';
import { useToday } from '../../format/use-clock.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { PATHS } from '../../navigation/paths.ts';
import { LoadError } from '../../shared/screen/LoadError.tsx';
import { ScreenHeader } from '../../shared/screen/ScreenHeader.tsx';
import { useFreshUser } from '../../shared/screen/use-fresh-user.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Card } from '../../ui/Card.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { LoadingText } from '../../ui/LoadingText.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import css from './ProfilePage.module.css';
import { registrationDate } from './registration-date.ts';

/** `/profile`: the profile of the current user. */
export function ProfilePage() {
  const { t } = useTranslation();
  const { status, error, retry } = useFreshUser();
  return (
    <>
      <ScreenHeader title={t('profile.title')} backLabel={t('profile.back')} />
      <div className={css.page}>
        {status === 'loading' && <ProfileSkeleton label={t('profile.loading')} />}
        {status === 'failed' && (
          <LoadError title={t('profile.loadFailed')} error={error} onRetry={retry} />
        )}
        {status === 'ready' && <ProfileCard />}
      </div>
    </>
  );
}

function ProfileCard() {
  const { t } = useTranslation();
  const language = useLanguage();
  // The day depends on the time zone.
  useToday();
  const { username, usermail, dateOfRegistration } = useUser();
  return (
    <Card className={css.card}>
      <Avatar name={username} size={96} />
      <h2 className={css.name}>{username}</h2>
      <p className={css.help}>{t('profile.avatarHelp')}</p>
      <dl className={css.facts}>
        <Fact icon={<UserRound />} term={t('profile.username')}>
          {username}
        </Fact>
        <Fact icon={<AtSign />} term={t('profile.email')}>
          {usermail}
        </Fact>
        <Fact icon={<CalendarDays />} term={t('profile.registered')}>
          {registrationDate(dateOfRegistration, language) ?? t('profile.noDate')}
        </Fact>
      </dl>
      <LinkButton variant="secondary" to={PATHS.settings} icon={<Settings />}>
        {t('profile.toSettings')}
      </LinkButton>
    </Card>
  );
}

function Fact({ icon, term, children }: { icon: ReactNode; term: string; children: ReactNode }) {
  return (
    <div className={css.fact}>
      {icon}
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The skeleton of the profile. */
function ProfileSkeleton({ label }: { label: string }) {
  return (
    <Card className={css.card}>
      <LoadingText label={label} />
      <Skeleton shape="avatar" width="6rem" height="6rem" />
      <Skeleton width="9rem" />
      <Skeleton shape="box" height="10.5rem" className={css.facts} />
    </Card>
  );
}
