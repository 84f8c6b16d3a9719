export { default as phone } from '../../../messages/de/phone.json';
export { default as question } from '../../../messages/de/question.json';
export { default as text } from '../../../messages/de/text.json';
