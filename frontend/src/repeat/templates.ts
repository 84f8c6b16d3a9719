import type { beckon } from '../bridge';
import { same, taskOfLine } from '../board/many';
import { nameFrom } from './schedule';

/** A template that makes nothing by itself yet: of a card, or blank. */
export function templateOf(projectId: string, like?: beckon.Task): beckon.Template {
  const plain = taskOfLine('', projectId);
  return {
    id: '',
    projectId,
    name: nameFrom(like?.title ?? ''),
    task: like ? { ...plain, ...same(like), start: plain.start, after: '', startsAt: 0 } : plain,
    schedule: '0 7 * * *',
    missed: 'once',
    paused: false,
    nextAt: 0,
    lastAt: 0,
    created: 0,
  };
}
