package desktop

// windowProgram is beckon with a window, in the folder of beckon.
const windowProgram = "beckon-window"
