export function linkify() {}
