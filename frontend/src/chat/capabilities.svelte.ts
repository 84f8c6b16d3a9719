// What a task's agent can do and how it is set, as far as the controls show it.

import { api, type beckon } from '../bridge';
import { t } from '../i18n/index.svelte';
import { modelLabel, modelOptions, modeOptions } from '../state';
import { oneLine } from '../text/plain';

/** Choice is one of the things that can be chosen. */
export interface Choice {
  value: string;
  label: string;
}

const none: beckon.Abilities = { models: [], commands: [] };

/** Capabilities is what one task's agent can do; until it is known, what any can. */
export class Capabilities {
  #known = $state.raw(none);
  #asked = '';

  /** Asks once for each run, when its agent is there. */
  async ask(run: beckon.Run): Promise<void> {
    if (run.phase === 'starting' || run.phase === 'ended' || this.#asked === run.id) return;
    this.#asked = run.id;
    try {
      this.#known = await api.abilities(run.taskId);
    } catch {
      this.#asked = '';
    }
  }

  model(run: beckon.Run): beckon.Model | undefined {
    return modelOf(this.#known.models, run.model);
  }

  models(run: beckon.Run): Choice[] {
    return modelChoices(this.#known.models, run.model);
  }

  /** The modes; auto only where the model has it, or it is in force. */
  modes(run: beckon.Run): Choice[] {
    const model = this.model(run);
    return modeOptions().filter(
      (one) => one.value !== 'auto' || model?.auto !== false || run.mode === 'auto',
    );
  }

  efforts(run: beckon.Run): Choice[] {
    const known = this.model(run)?.efforts ?? [];
    if (known.length === 0) return [];
    const all = known.includes(run.effort) || run.effort === '' ? known : [...known, run.effort];
    return [
      { value: '', label: t('chat.effortDefault') },
      ...all.map((value) => ({ value, label: t('chat.effortOf', { level: oneLine(value) }) })),
    ];
  }
}

/** modelOf finds the model that a run has, which it names in short or in full. */
function modelOf(models: beckon.Model[], name: string): beckon.Model | undefined {
  return (
    models.find((model) => model.value === name) ?? models.find((model) => model.resolved === name)
  );
}

/** modelChoices are the models to choose from; the one in force is always among them. */
function modelChoices(models: beckon.Model[], name: string): Choice[] {
  const all =
    models.length > 0
      ? models.map((model) => ({
          value: model.value,
          label:
            model.value === 'default'
              ? modelLabel('')
              : oneLine(model.name || modelLabel(model.value)),
        }))
      : modelOptions();
  const current = modelOf(models, name)?.value ?? name;
  return all.some((one) => one.value === current)
    ? all
    : [...all, { value: current, label: oneLine(modelLabel(current)) }];
}
