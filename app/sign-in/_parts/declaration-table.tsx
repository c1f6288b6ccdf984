import { classNames } from "#ui/class-names";
