/* What Go's programs draw their random numbers from, which wine has since its version 9. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG size);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T size) {
  while (size > 0) {
    ULONG part = size > 0x10000000 ? 0x10000000 : (ULONG)size;
    if (!SystemFunction036(buffer, part)) return FALSE;
    buffer += part;
    size -= part;
  }
  return TRUE;
}
