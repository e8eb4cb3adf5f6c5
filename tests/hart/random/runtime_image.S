/* SPDX-License-Identifier: Apache-2.0 */
    .section .rodata
    .globl runtime_image, runtime_image_end
    .balign 8
runtime_image:
    .incbin RUNTIME_IMAGE
runtime_image_end:

    .section .note.GNU-stack, "", %progbits
