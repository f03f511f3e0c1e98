import { Card } from '../../ui/Card.tsx';
import { LoadingText } from '../../ui/LoadingText.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

const SECTIONS = ['9rem', '4.5rem', '13rem'];

/** The skeleton of the settings. */
export function SettingsSkeleton({ label }: { label: string }) {
  return (
    <>
      <LoadingText label={label} />
      {SECTIONS.map((height) => (
        <Card key={height}>
          <Skeleton width="8rem" />
          <Skeleton shape="box" height={height} />
        </Card>
      ))}
    </>
  );
}
