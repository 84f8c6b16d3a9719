import type { beckon } from '../bridge';
import { taskOfLine } from '../board/many';
import { nameFrom } from './schedule';

/** A template that makes nothing by itself yet: of a card, or blank. */
export function templateOf(projectId: string, like?: beckon.Task): beckon.Template {
  return {
    id: '',
    projectId,
    name: nameFrom(like?.title ?? ''),
    task: { ...taskOfLine(like?.title ?? '', projectId, like), brief: like?.brief ?? '' },
    schedule: '0 7 * * *',
    missed: 'once',
    paused: false,
    nextAt: 0,
    lastAt: 0,
    created: 0,
  };
}
