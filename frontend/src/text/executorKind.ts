// What the kinds of executors look like.
import Boxes from '@lucide/svelte/icons/boxes';
import Container from '@lucide/svelte/icons/container';
import Network from '@lucide/svelte/icons/network';
import Server from '@lucide/svelte/icons/server';
import type { beckon } from '../bridge';

export const kindIcons: Record<beckon.Executor['kind'], typeof Server> = {
  ssh: Server,
  container: Container,
  kubernetes: Boxes,
  slurm: Network,
};
