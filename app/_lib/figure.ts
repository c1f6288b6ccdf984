const number = new Intl.NumberFormat("en");

/** A number as it is read: "1,204". */
export const figure = (many: number): string => number.format(many);
