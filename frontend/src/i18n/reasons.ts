// The English of the reasons is what they are found by, in a page of another language.
export { default as reasons } from '../../messages/en/reasons.json';
