/** The task whose ways to merge are to be shown, once its changes are: by its id, empty where nobody asks. */
class Asked {
  merge = $state('');
}

export const asked = new Asked();
