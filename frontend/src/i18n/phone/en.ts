export { default as phone } from '../../../messages/en/phone.json';
export { default as question } from '../../../messages/en/question.json';
export { default as text } from '../../../messages/en/text.json';
