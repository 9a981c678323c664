/** The front ends of Jupyter, as commands, in the order in which they are tried. */
export const FRONTENDS = [["jupyter", "lab"], ["jupyter", "notebook"]] as const;
