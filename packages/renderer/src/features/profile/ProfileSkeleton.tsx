import { Card } from '../../ui/Card.tsx';
import { LoadingText } from '../../ui/LoadingText.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import css from './ProfilePage.module.css';

/** The skeleton of the profile. */
export function ProfileSkeleton({ label }: { label: string }) {
  return (
    <Card className={css.card}>
      <LoadingText label={label} />
      <Skeleton shape="avatar" width="6rem" height="6rem" />
      <Skeleton width="9rem" />
      <Skeleton shape="box" height="10.5rem" className={css.facts} />
    </Card>
  );
}
