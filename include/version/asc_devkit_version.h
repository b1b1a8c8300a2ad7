/* SPDX-License-Identifier: Apache-2.0 */
/* The release of the toolkit whose interface is emulated, as aclsysGetCANNVersion returns it. */
#ifndef VERSION_ASC_DEVKIT_VERSION_H_
#define VERSION_ASC_DEVKIT_VERSION_H_

#define ASC_DEVKIT_MAJOR 9
#define ASC_DEVKIT_MINOR 1
#define ASC_DEVKIT_PATCH 0
#define ASC_DEVKIT_VERSION_STR "9.1.0"
#define ASC_DEVKIT_VERSION_NUM 90100000 /* MINOR * 100000, PATCH * 1000 */

#endif /* VERSION_ASC_DEVKIT_VERSION_H_ */
